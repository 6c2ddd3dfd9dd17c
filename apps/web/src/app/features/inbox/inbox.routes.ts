import type { Routes } from '@angular/router';
import { AskPage } from './ask-page.js';
import { InboxPage } from './inbox-page.js';
import { NoAsk } from './no-ask.js';

export const inboxRoutes: Routes = [
  {
    path: '',
    component: InboxPage,
    children: [
      { path: 'inbox', component: NoAsk },
      { path: 'asks/:id', component: AskPage },
    ],
  },
];
