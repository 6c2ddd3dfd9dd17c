import { inject } from '@angular/core';
import { Router } from '@angular/router';
import type { CanActivateFn } from '@angular/router';
import { Me } from './me.js';

/** Lets only signed-in people on. Where nobody owns the server yet, the way is the welcome page. */
export const signedIn: CanActivateFn = async (_route, state) => {
  const me = inject(Me);
  const router = inject(Router);
  if (!me.isKnown) {
    const failed = await me.refresh().then(
      () => false,
      () => true,
    );
    // Without an answer the shell may open: its pages say that the server does not answer.
    if (failed) return true;
  }
  if (me.principal() !== null) return me.mustEnrol() && !state.url.startsWith('/account') ? router.createUrlTree(['/account']) : true;
  if (!me.hasOwner()) return router.createUrlTree(['/welcome']);
  return router.createUrlTree(['/login'], state.url === '/' ? {} : { queryParams: { next: state.url } });
};
