import type { Routes } from '@angular/router';
import { AskPage } from './ask-page.js';
import { BatchPage } from './batch-page.js';
import { InboxPage } from './inbox-page.js';
import { NoAsk } from './no-ask.js';

export const inboxRoutes: Routes = [
  {
    path: '',
    component: InboxPage,
    children: [
      { path: 'inbox', pathMatch: 'full', component: NoAsk },
      { path: 'inbox/batch', component: BatchPage },
      { path: 'asks/:id', component: AskPage },
    ],
  },
];
