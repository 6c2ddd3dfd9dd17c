import type { Routes } from '@angular/router';
import { ConnectorsPage } from './connectors-page.js';
import { ProviderPage } from './provider-page.js';

export const connectorsRoutes: Routes = [
  { path: '', component: ConnectorsPage },
  { path: ':connector', component: ConnectorsPage },
  { path: ':connector/:service', component: ProviderPage },
];
