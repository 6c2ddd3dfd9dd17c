import type { ConnectorAccount, ProviderRow, ProviderState } from '#contracts';
import type { BareProvider } from './sanitise.js';

/** Default first, then the newest. */
export function inOrder(accounts: readonly ConnectorAccount[]): readonly ConnectorAccount[] {
  return accounts.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
}

/**
 * The state of a provider. Disconnected accounts do not count; several without a default are ambiguous; else the default, the only
 * one, an active one or the newest decides.
 */
export function providerState(accounts: readonly ConnectorAccount[]): ProviderState {
  const present = inOrder(accounts.filter(({ status }) => status !== 'disconnected'));
  const [first] = present;
  if (!first) return 'not_connected';
  const chosen = present.find(({ isDefault }) => isDefault) ?? (present.length === 1 ? first : undefined);
  if (!chosen) return 'ambiguous';
  return chosen.status === 'active' ? 'connected' : 'needs_attention';
}

/** Whether calls that name no account reach a certain one. */
export function isConnected(state: ProviderState): boolean {
  return state !== 'not_connected';
}

/** Connected first, then by name. */
export function toRows(providers: readonly BareProvider[], accounts: readonly ConnectorAccount[]): readonly ProviderRow[] {
  const byService = Map.groupBy(accounts, ({ service }) => service);
  const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return providers
    .map((provider): ProviderRow => {
      const own = byService.get(provider.service) ?? [];
      return { ...provider, state: providerState(own), accounts: own.filter(({ status }) => status !== 'disconnected').length };
    })
    .toSorted((a, b) => Number(isConnected(b.state)) - Number(isConnected(a.state)) || order.compare(a.name, b.name));
}
