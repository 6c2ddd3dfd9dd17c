import type { Routes, UrlMatcher } from '@angular/router';
import { signedIn } from './core/signed-in.js';
import { Shell } from './shell/shell.js';

/** List and open ask are one page with two addresses, so that the list keeps its place. */
const inboxAddresses: UrlMatcher = (segments) => {
  const first = segments[0]?.path;
  return first === 'inbox' || first === 'asks' ? { consumed: [] } : null;
};

export const routes: Routes = [
  { path: 'welcome', loadComponent: () => import('./features/welcome/welcome-page.js').then((m) => m.WelcomePage) },
  { path: 'login', loadComponent: () => import('./features/login/login-page.js').then((m) => m.LoginPage) },
  { path: 'invite', loadComponent: () => import('./features/link/link-page.js').then((m) => m.LinkPage) },
  { path: 'reset', loadComponent: () => import('./features/link/link-page.js').then((m) => m.LinkPage) },
  {
    path: '',
    component: Shell,
    canActivate: [signedIn],
    children: [
      { path: '', pathMatch: 'full', loadComponent: () => import('./features/home/home-page.js').then((m) => m.HomePage) },
      { matcher: inboxAddresses, loadChildren: () => import('./features/inbox/inbox.routes.js').then((m) => m.inboxRoutes) },
      { path: 'live', loadComponent: () => import('./features/live/live-page.js').then((m) => m.LivePage) },
      { path: 'runs/:id', loadComponent: () => import('./features/run/run-page.js').then((m) => m.RunPage) },
      { path: 'plans/new', loadComponent: () => import('./features/plan/new-plan-page.js').then((m) => m.NewPlanPage) },
      { path: 'plans/:id', loadComponent: () => import('./features/plan/plan-page.js').then((m) => m.PlanPage) },
      { path: 'receipts', loadComponent: () => import('./features/receipts/receipts-page.js').then((m) => m.ReceiptsPage) },
      { path: 'receipts/compare', loadComponent: () => import('./features/compare/compare-page.js').then((m) => m.ComparePage) },
      { path: 'receipts/:id', loadComponent: () => import('./features/receipt/receipt-page.js').then((m) => m.ReceiptPage) },
      { path: 'policy', loadChildren: () => import('./features/policy/policy.routes.js').then((m) => m.policyRoutes) },
      { path: 'account', loadComponent: () => import('./features/account/account-page.js').then((m) => m.AccountPage) },
      { path: 'admin', loadChildren: () => import('./features/admin/admin.routes.js').then((m) => m.adminRoutes) },
      { path: '**', loadComponent: () => import('./features/home/nowhere-page.js').then((m) => m.NowherePage) },
    ],
  },
];
