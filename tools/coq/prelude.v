(* What every proof stands on: Coq's classical reals, vectors of a real inner product space, and
   lemmas on signs, each proved here.  The named theorems follow below. *)
Require Export Reals Psatz.
Open Scope R_scope.

(* A real inner product space of any dimension. *)
Parameter vec : Type.
Parameter vadd : vec -> vec -> vec.
Parameter vscale : R -> vec -> vec.
Parameter dot : vec -> vec -> R.
Axiom dot_sym : forall u v : vec, dot u v = dot v u.
Axiom dot_add : forall u v w : vec, dot (vadd u v) w = dot u w + dot v w.
Axiom dot_scale : forall (a : R) (u v : vec), dot (vscale a u) v = a * dot u v.
Axiom dot_nonneg : forall u : vec, 0 <= dot u u.
Axiom same_vector : forall u v : vec, (forall w : vec, dot u w = dot v w) -> u = v.
Definition vsub (u v : vec) : vec := vadd u (vscale (-1) v).
Definition norm (u : vec) : R := sqrt (dot u u).

(* Laws, maps and sets stay opaque. *)
Parameter law map subset : Type.

Lemma dot_sub (u v w : vec) : dot (vsub u v) w = dot u w - dot v w.
Proof. unfold vsub. rewrite dot_add, dot_scale. ring. Qed.
Lemma dot_add_r (u v w : vec) : dot w (vadd u v) = dot w u + dot w v.
Proof. now rewrite dot_sym, dot_add, (dot_sym u), (dot_sym v). Qed.
Lemma dot_sub_r (u v w : vec) : dot w (vsub u v) = dot w u - dot w v.
Proof. now rewrite dot_sym, dot_sub, (dot_sym u), (dot_sym v). Qed.
Lemma dot_scale_r (a : R) (u v : vec) : dot u (vscale a v) = a * dot u v.
Proof. now rewrite dot_sym, dot_scale, (dot_sym v). Qed.
Lemma norm_nonneg (u : vec) : 0 <= norm u.
Proof. apply sqrt_pos. Qed.

(* Induction whose step goes to n + 1 as proofs write it. *)
Lemma nat_step (P : nat -> Prop) :
  P 0%nat -> (forall n, P n -> P (n + 1)%nat) -> forall n, P n.
Proof.
  intros base step n. induction n as [| n ih]; [exact base |].
  replace (S n) with (n + 1)%nat by (rewrite Nat.add_1_r; reflexivity). now apply step.
Qed.

(* A claim about equal terms. *)
Lemma moved_le (l r l' r' : R) : l = l' -> r = r' -> l <= r -> l' <= r'.
Proof. now intros -> ->. Qed.
Lemma moved_lt (l r l' r' : R) : l = l' -> r = r' -> l < r -> l' < r'.
Proof. now intros -> ->. Qed.
Lemma moved_eq (T : Type) (l r l' r' : T) : l = l' -> r = r' -> l = r -> l' = r'.
Proof. now intros -> ->. Qed.
Lemma moved_claim (P Q : Prop) : P = Q -> P -> Q.
Proof. now intros ->. Qed.

(* right - left of a fact, and back. *)
Lemma gap_le (l r : R) : l <= r -> 0 <= r - l.
Proof. lra. Qed.
Lemma gap_lt (l r : R) : l < r -> 0 < r - l.
Proof. lra. Qed.
Lemma gap_eq (l r : R) : l = r -> r - l = 0.
Proof. lra. Qed.
Lemma by_gap_le (l r e : R) : r - l = e -> 0 <= e -> l <= r.
Proof. lra. Qed.
Lemma by_gap_lt (l r e : R) : r - l = e -> 0 < e -> l < r.
Proof. lra. Qed.
Lemma by_gap_eq (l r e : R) : r - l = e -> e = 0 -> l = r.
Proof. lra. Qed.

(* Signs of sums, products, quotients and powers. *)
Lemma weak (a : R) : 0 < a -> 0 <= a.
Proof. lra. Qed.
Lemma of_zero (a : R) : a = 0 -> 0 <= a.
Proof. lra. Qed.
Lemma zero_add (a b : R) : a = 0 -> b = 0 -> a + b = 0.
Proof. lra. Qed.
Lemma nonneg_add (a b : R) : 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. lra. Qed.
Lemma pos_add (a b : R) : 0 < a -> 0 <= b -> 0 < a + b.
Proof. lra. Qed.
Lemma add_pos (a b : R) : 0 <= a -> 0 < b -> 0 < a + b.
Proof. lra. Qed.
Lemma zero_sub (a b : R) : a = 0 -> b = 0 -> a - b = 0.
Proof. lra. Qed.
Lemma nonneg_sub (a b : R) : 0 <= a -> b = 0 -> 0 <= a - b.
Proof. lra. Qed.
Lemma pos_sub (a b : R) : 0 < a -> b = 0 -> 0 < a - b.
Proof. lra. Qed.
Lemma zero_mul (a b : R) : a = 0 -> a * b = 0.
Proof. intros ->. ring. Qed.
Lemma mul_zero (a b : R) : b = 0 -> a * b = 0.
Proof. intros ->. ring. Qed.
Lemma nonneg_mul (a b : R) : 0 <= a -> 0 <= b -> 0 <= a * b.
Proof. apply Rmult_le_pos. Qed.
Lemma pos_mul (a b : R) : 0 < a -> 0 < b -> 0 < a * b.
Proof. apply Rmult_lt_0_compat. Qed.
Lemma zero_div (a b : R) : a = 0 -> a / b = 0.
Proof. intros ->. unfold Rdiv. ring. Qed.
Lemma nonneg_div (a b : R) : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rmult_le_pos; [assumption | now apply weak, Rinv_0_lt_compat]. Qed.
Lemma pos_div (a b : R) : 0 < a -> 0 < b -> 0 < a / b.
Proof. intros. apply Rmult_lt_0_compat; [assumption | now apply Rinv_0_lt_compat]. Qed.
Lemma nonneg_pow (a : R) (n : nat) : 0 <= a -> 0 <= a ^ n.
Proof. apply pow_le. Qed.
Lemma pos_pow (a : R) (n : nat) : 0 < a -> 0 < a ^ n.
Proof. apply pow_lt. Qed.
Lemma even_pow (a : R) (n : nat) : 0 <= a ^ (2 * n).
Proof. rewrite pow_mult. apply pow_le. rewrite <- Rsqr_pow2. apply Rle_0_sqr. Qed.
Lemma square_pos (a : R) : 0 <= a ^ 2.
Proof. exact (even_pow a 1). Qed.
Lemma min_nonneg (a b : R) : 0 <= a -> 0 <= b -> 0 <= Rmin a b.
Proof. apply Rmin_glb. Qed.
Lemma min_pos (a b : R) : 0 < a -> 0 < b -> 0 < Rmin a b.
Proof. apply Rmin_glb_lt. Qed.

(* Divisors: of a quotient's conditions each is a product of what stands > 0 in the context. *)
Ltac positive :=
  first
    [ assumption | lra
    | apply pos_mul; positive | apply pos_pow; positive
    | apply pos_add; [positive | apply weak; positive] ].
Ltac nonzero := repeat split; apply Rgt_not_eq; unfold Rgt; positive.
Ltac identity := first [ring | field; nonzero].

(* Whole numbers, and these as reals. *)
Ltac counted := first [ring | lia].
Ltac push :=
  repeat (rewrite plus_INR || rewrite mult_INR || rewrite pow_INR || rewrite S_INR);
  change (INR 0) with 0.
Ltac pushed := push; ring.

(* Products of sums of vectors. *)
Ltac expanded :=
  repeat (rewrite dot_add || rewrite dot_sub || rewrite dot_scale
          || rewrite dot_add_r || rewrite dot_sub_r || rewrite dot_scale_r).
Ltac same_vectors := apply same_vector; intro; expanded; identity.

(* Norms, for the proofs of named theorems. *)
Lemma norm_squared (x : vec) : norm x ^ 2 = dot x x.
Proof. unfold norm. apply pow2_sqrt, dot_nonneg. Qed.
Lemma along (x y : vec) (t : R) : 0 <= dot x x - 2 * t * dot x y + t ^ 2 * dot y y.
Proof.
  replace (dot x x - 2 * t * dot x y + t ^ 2 * dot y y)
    with (dot (vsub x (vscale t y)) (vsub x (vscale t y))).
  - apply dot_nonneg.
  - expanded. rewrite (dot_sym y x). ring.
Qed.
Lemma cauchy_squares (x y : vec) : dot x y ^ 2 <= dot x x * dot y y.
Proof.
  destruct (Rle_lt_or_eq_dec 0 (dot y y) (dot_nonneg y)) as [some | none].
  - pose proof (along x y (dot x y / dot y y)) as h.
    replace (dot x x - 2 * (dot x y / dot y y) * dot x y + (dot x y / dot y y) ^ 2 * dot y y)
      with ((dot x x * dot y y - dot x y ^ 2) / dot y y) in h by (field; lra).
    apply (Rmult_le_compat_r (dot y y)) in h; [| lra].
    unfold Rdiv in h. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in h; lra.
  - rewrite <- none. destruct (Req_dec (dot x y) 0) as [zero | other]; [rewrite zero; lra |].
    pose proof (along x y ((dot x x + 1) / (2 * dot x y))) as h. rewrite <- none in h.
    replace (dot x x - 2 * ((dot x x + 1) / (2 * dot x y)) * dot x y
             + ((dot x x + 1) / (2 * dot x y)) ^ 2 * 0) with (-1) in h by (field; assumption).
    lra.
Qed.
