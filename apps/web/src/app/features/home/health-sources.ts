import type { AppEvent, SystemInfo, Webhook } from '#contracts';
import type { Api } from '../../core/api.js';
import type { WordKey } from '../../core/words.js';
import type { MarkSet } from '../../shared/mark-sets.js';

/** One thing that the server leans on, as a mark and a name. */
export interface HealthLine {
  readonly set: MarkSet;
  readonly value: string;
  readonly name: string;
}

/** A row of the health strip. A plane that is leaned on adds its own here; it is left out where the server does not let this person read. */
export interface HealthSource {
  readonly word: WordKey;
  readonly link: string;
  /** Worst first. */
  readonly read: (api: Api) => Promise<readonly HealthLine[]>;
  readonly isMoved: (event: AppEvent) => boolean;
}

export const HEALTH_SOURCES: readonly HealthSource[] = [
  {
    word: 'health_sandbox',
    link: '/admin/server',
    read: async (api) => {
      const { sandbox, enforcement } = await api.get<SystemInfo>('system');
      return [{ set: 'sandbox', value: enforcement, name: [sandbox.kind, sandbox.version].filter((part) => part !== null).join(' ') }];
    },
    isMoved: () => false,
  },
  {
    word: 'webhooks',
    link: '/admin/webhooks',
    read: async (api) => {
      const { items } = await api.get<{ readonly items: readonly Webhook[] }>('webhooks');
      if (items.length === 0) return [{ set: 'health', value: 'absent', name: '' }];
      return items.map(webhookLine).sort((one, other) => WORST.indexOf(one.value) - WORST.indexOf(other.value));
    },
    isMoved: (event) => event.type === 'webhook.changed',
  },
];

const WORST = ['stopped', 'off', 'works'];

function webhookLine({ name, isEnabled, stopped }: Webhook): HealthLine {
  return { set: 'health', value: stopped !== null ? 'stopped' : isEnabled ? 'works' : 'off', name };
}
