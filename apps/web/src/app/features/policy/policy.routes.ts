import type { Routes } from '@angular/router';
import { ExplainPage } from './explain-page.js';
import { LearnPage } from './learn-page.js';
import { PolicyFrame } from './policy-frame.js';
import { ProposalsPage } from './proposals-page.js';
import { RememberedPage } from './remembered-page.js';
import { RulesPage } from './rules-page.js';
import { VersionsPage } from './versions-page.js';

export const policyRoutes: Routes = [
  {
    path: '',
    component: PolicyFrame,
    children: [
      { path: '', pathMatch: 'full', redirectTo: 'rules' },
      { path: 'rules', component: RulesPage },
      // The editor brings a part of its own, so that nobody else loads it.
      { path: 'edit', loadComponent: () => import('./edit-page.js').then((m) => m.EditPage) },
      { path: 'replay', redirectTo: 'edit' },
      { path: 'versions', component: VersionsPage },
      { path: 'remembered', component: RememberedPage },
      { path: 'proposals', component: ProposalsPage },
      { path: 'learn/:id', component: LearnPage },
      { path: 'explain', component: ExplainPage },
    ],
  },
];
