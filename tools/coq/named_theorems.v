(* Proofs of named theorems on reals and norms, each under the theorem's name.  A theorem of the
   kernel that is not here is an axiom. *)

(* cauchy *)
Proof.
  intros x y. apply Rsqr_incr_0_var.
  - rewrite !Rsqr_pow2, Rpow_mult_distr, !norm_squared. apply cauchy_squares.
  - apply Rmult_le_pos; apply norm_nonneg.
Qed.

(* triangle *)
Proof.
  intros x y. apply Rsqr_incr_0_var; [| apply Rplus_le_le_0_compat; apply norm_nonneg].
  rewrite !Rsqr_pow2, norm_squared. expanded. rewrite (dot_sym y x).
  pose proof (by_cauchy x y). pose proof (norm_squared x). pose proof (norm_squared y). nra.
Qed.

(* scaled *)
Proof.
  intros a x h. unfold norm.
  rewrite dot_scale, dot_scale_r, <- Rmult_assoc, sqrt_mult_alt by now apply Rmult_le_pos.
  now rewrite sqrt_square.
Qed.

(* norm_square *)
Proof. exact norm_squared. Qed.

(* root_square *)
Proof. intros x h. now apply pow2_sqrt. Qed.

(* from_squares *)
Proof. intros x y h h0. apply Rsqr_incr_0_var; [unfold Rsqr; lra | assumption]. Qed.

(* abs_below *)
Proof. intros x c h h0. apply Rabs_le. lra. Qed.

(* abs_above *)
Proof. intros x. apply RRle_abs. Qed.

(* abs_above_minus *)
Proof. intros x. rewrite <- Rabs_Ropp. apply RRle_abs. Qed.

(* cancel *)
Proof.
  intros a b r h h0 h1 h2. apply (Rmult_le_reg_r a); [assumption |].
  replace (b / a * a) with b by (field; lra). destruct h0 as [h0 | <-]; [| lra].
  apply (Rmult_le_reg_r r); [assumption | lra].
Qed.

(* min_below *)
Proof. intros a b. apply Rmin_l. Qed.

(* log_tangent *)
Proof. intros x h. pose proof (exp_ineq1_le (ln x)) as h0. rewrite exp_ln in h0; lra. Qed.

(* log_quotient *)
Proof.
  intros a b h h0. unfold Rdiv.
  rewrite ln_mult, ln_Rinv; [ring | assumption | assumption | now apply Rinv_0_lt_compat].
Qed.
