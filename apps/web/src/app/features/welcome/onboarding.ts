import { Component, computed, inject, signal } from '@angular/core';
import { Router } from '@angular/router';
import type { Mode } from '#contracts';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { Copy } from '../../shared/copy.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { Text } from '../../shared/text.js';
import { MODE_WORDS } from '../../shared/mode-words.js';
import { OnboardingStore } from './onboarding.store.js';

/** From an owner to a verified receipt: workspace, client, first call, first governed command. */
@Component({
  selector: 'cs-onboarding',
  imports: [Copy, Failure, Icon, Mark, Text],
  providers: [OnboardingStore],
  templateUrl: './onboarding.html',
  styleUrl: './onboarding.css',
})
export class Onboarding {
  readonly #router = inject(Router);
  protected readonly store = inject(OnboardingStore);
  protected readonly me = inject(Me);
  protected readonly t = inject(Words).say;
  protected readonly tokenName = signal('my-agent');
  protected readonly isBusy = signal(false);
  protected readonly mcpUrl = computed(() => this.store.system()?.mcpUrl ?? new URL('mcp', document.baseURI).href);
  /** What most MCP clients read; the secret stands in it only while it is shown. */
  protected readonly configuration = computed(() => {
    const secret = this.store.created()?.secret ?? '<token>';
    const server = { type: 'http', url: this.mcpUrl(), headers: { Authorization: `Bearer ${secret}` } };
    return JSON.stringify({ mcpServers: { countersign: server } }, null, 2);
  });

  protected modeWord(mode: Mode): WordKey {
    return MODE_WORDS[mode];
  }

  protected async createToken(): Promise<void> {
    if (this.isBusy() || this.tokenName().trim() === '') return;
    this.isBusy.set(true);
    await this.store.createToken(this.tokenName().trim());
    this.isBusy.set(false);
  }

  protected go(event: Event, link: string): void {
    event.preventDefault();
    void this.#router.navigateByUrl(link);
  }
}
