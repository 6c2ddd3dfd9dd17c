import { Component, computed, inject, input } from '@angular/core';
import type { Limits, PolicyLimits, SandboxFacts } from '#contracts';
import { Words } from '../core/say.js';
import { bytesText, durationText } from '../core/time-text.js';
import type { WordKey } from '../core/words.js';
import { limitTexts } from './limit-texts.js';
import { Mark } from './mark.js';
import { Text } from './text.js';

const NETWORK: Readonly<Record<SandboxFacts['network'], WordKey>> = { none: 'net_none', hosts: 'net_hosts', open: 'net_open' };
const FILES: Readonly<Record<SandboxFacts['fileSystem'], WordKey>> = {
  read_only: 'fs_read_only',
  workspace_write: 'fs_workspace',
  open: 'fs_open',
};

/** What holds a run: sandbox, what it may write, network, limits. */
@Component({
  selector: 'cs-contained',
  imports: [Mark, Text],
  template: `
    <dl class="kv">
      <dt>{{ t('sandbox') }}</dt>
      <dd>
        <cs-mark set="sandbox" [value]="sandbox().enforcement" look="thin" />
        <span class="q"> {{ parts() }}</span>
      </dd>
      <dt>{{ t('writable') }}</dt>
      <dd>{{ t(files()) }}</dd>
      <dt>{{ t('network') }}</dt>
      <dd>
        {{ t(network()) }}
        @if (hosts().length > 0) {
          <span class="q"> {{ hosts().join(', ') }}</span>
        }
      </dd>
      @if (limits(); as most) {
        <dt>{{ t('limits') }}</dt>
        <dd class="num">{{ limitText(most) }}</dd>
      }
      @if (setByPolicy(); as texts) {
        <dt>{{ t('set_by_policy') }}</dt>
        <dd><cs-text [text]="texts" /></dd>
      }
      <ng-content />
    </dl>
    @if (sandbox().enforcement === 'none') {
      <p class="fact danger none">{{ t('sandbox_absent') }}</p>
    }
  `,
  styles: `
    .none {
      color: var(--fg);
      padding-top: 8px;
    }
  `,
})
export class Contained {
  readonly sandbox = input.required<SandboxFacts>();
  readonly limits = input<Limits | null>(null);
  /** What a rule of the team bounds. */
  readonly policy = input<PolicyLimits | undefined>();

  readonly #words = inject(Words);
  protected readonly t = this.#words.say;
  protected readonly network = computed(() => NETWORK[this.sandbox().network]);
  protected readonly hosts = computed(() => this.limits()?.network?.hosts ?? []);
  protected readonly setByPolicy = computed(() => limitTexts(this.policy() ?? {}, this.#words).join(' · '));
  protected readonly files = computed(() => FILES[this.sandbox().fileSystem]);
  protected readonly parts = computed(() => {
    const facts = this.sandbox();
    const name = facts.kind === 'none' ? '' : facts.version === null ? facts.kind : `${facts.kind} ${facts.version}`;
    return [name, facts.seccomp ? 'seccomp' : '', facts.pidNamespace ? this.t('pid_namespace') : '']
      .filter((part) => part !== '')
      .join(', ');
  });

  protected limitText(limits: Limits): string {
    return `${durationText(limits.timeoutMs, this.#words.lang())} · ${this.t('per_stream', { size: bytesText(limits.maxOutputBytes) })}`;
  }
}
