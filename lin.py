import sys
import numpy as np, mpmath as mp
from accounting import epsilon_mironov, epsilon_weak_triangle, epsilon_cks
rng=np.random.default_rng(2); N=4000
rho=10**np.concatenate([rng.uniform(-6,3,N//2),rng.uniform(-100,100,N//2)]); d=10**rng.uniform(-12,-.001,N)
mp.mp.dps=60
M,W,C=epsilon_mironov(rho,d),epsilon_weak_triangle(rho,d),epsilon_cks(rho,d)
bad=[0,0,0]; worst=[0.,0.,0.]; hi=[0.,0.,0.]
for r,x,m,w,c in zip(rho.tolist(),d.tolist(),M.tolist(),W.tolist(),C.tolist()):
    R,L=mp.mpf(r),-mp.log(mp.mpf(x))
    t=[R+2*mp.sqrt(R*L), 3*R+2*mp.sqrt(2*R*(R+L))]
    f=lambda u: R*u*u+mp.log1p(u)-L
    lo,hi_=mp.mpf(0),mp.sqrt(L/R)
    u=min(mp.sqrt(L/R), mp.expm1(L))
    for _ in range(400):
        v=u-f(u)/(2*R*u+1/(1+u))
        if abs(v-u)<mp.mpf(10)**-50*abs(v): u=v; break
        u=v if v>0 else u/2
    t.append(max(mp.mpf(0), R*(1+u)-mp.log1p(1/u)+(L-mp.log1p(u))/u))
    for k,(T,g) in enumerate(zip(t,(m,w,c))):
        if T>0:
            e=float((mp.mpf(g)-T)/T)
            if e<0: bad[k]+=1; worst[k]=min(worst[k],e)
            hi[k]=max(hi[k],e)
print('mironov, weak, cks below', bad, worst, 'highest', hi)
