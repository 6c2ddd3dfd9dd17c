import { Component, inject, signal } from '@angular/core';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MODES } from '#contracts';
import type { Workspace } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { MODE_WORDS } from '../../shared/mode-words.js';
import { Text } from '../../shared/text.js';

/** Registered folders and their modes. A looser mode is asked about first. */
@Component({
  selector: 'cs-workspaces-page',
  imports: [Empty, Failure, Icon, MatFormField, MatHint, MatInput, MatLabel, Text],
  templateUrl: './workspaces-page.html',
  styleUrl: './admin.css',
})
export class WorkspacesPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  protected readonly me = inject(Me);
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly modes = MODES;
  protected readonly spelled = spelled;
  protected readonly modeWords = MODE_WORDS;
  protected readonly isOpen = signal(false);
  protected readonly name = signal('');
  protected readonly root = signal('');
  protected readonly mode = signal<string>('inspect');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('workspaces'), path: [{ text: this.t('admin'), link: '/admin/tokens' }] }));
    void this.load();
  }

  protected async load(): Promise<void> {
    await this.#attempt(() => this.workspaces.load());
  }

  protected async create(): Promise<void> {
    if (this.isBusy() || this.name().trim() === '' || this.root().trim() === '') return;
    await this.#attempt(() => this.#api.post('workspaces', { name: this.name().trim(), root: this.root().trim(), mode: this.mode() }));
    if (this.failure() === undefined) this.isOpen.set(false);
  }

  protected async setMode(workspace: Workspace, box: HTMLSelectElement): Promise<void> {
    const mode = MODES.find((one) => one === box.value);
    box.value = workspace.mode;
    if (mode === undefined || mode === workspace.mode) return;
    const isLooser = MODES.indexOf(mode) > MODES.indexOf(workspace.mode);
    const isSure = await this.#askFirst.confirm({
      title: this.t('mode_title', { name: workspace.name, mode }),
      text: this.t(MODE_WORDS[mode]),
      act: this.t('mode_act', { mode }),
      isDanger: isLooser,
    });
    if (isSure) await this.#attempt(() => this.#api.patch(`workspaces/${workspace.id}`, { mode }));
  }

  async #attempt(call: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await call();
      await this.workspaces.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
