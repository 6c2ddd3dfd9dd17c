import { inject } from '@angular/core';
import { Router } from '@angular/router';
import type { CanActivateFn, Routes } from '@angular/router';
import { Me } from '../../core/me.js';
import { AdminPage } from './admin-page.js';
import { AuditPage } from './audit-page.js';
import { PeoplePage } from './people-page.js';
import { ServerPage } from './server-page.js';
import { TokensPage } from './tokens-page.js';
import { WebhooksPage } from './webhooks-page.js';
import { WorkspacesPage } from './workspaces-page.js';

/** What a role may not open is absent; an address typed by hand leads to the tokens. */
const adminOnly: CanActivateFn = () => inject(Me).isAdmin() || inject(Router).createUrlTree(['/admin/tokens']);

export const adminRoutes: Routes = [
  {
    path: '',
    component: AdminPage,
    children: [
      { path: '', pathMatch: 'full', redirectTo: 'tokens' },
      { path: 'tokens', component: TokensPage },
      { path: 'people', component: PeoplePage, canActivate: [adminOnly] },
      { path: 'workspaces', component: WorkspacesPage },
      { path: 'webhooks', component: WebhooksPage, canActivate: [adminOnly] },
      { path: 'audit', component: AuditPage, canActivate: [adminOnly] },
      { path: 'server', component: ServerPage },
    ],
  },
];
