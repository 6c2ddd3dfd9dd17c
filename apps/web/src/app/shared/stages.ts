import { Component, computed, inject, input, signal } from '@angular/core';
import type { Stage, StageFacts } from '#contracts';
import { Words } from '../core/say.js';
import { OPERATORS, arrowOf, byteCount, oneLine, wordCount } from '../core/text/argv-text.js';
import { findings } from '../core/text/hidden.js';
import type { WordKey } from '../core/words.js';
import { Argv } from './argv.js';
import { Copy } from './copy.js';
import { Effects } from './effects.js';
import { Icon } from './icon.js';
import { Text } from './text.js';

interface StageRow {
  readonly stage: Stage;
  readonly facts: StageFacts | undefined;
  readonly changes: ReadonlyMap<number, string | null>;
  readonly operator: string;
  readonly meaning: WordKey | null;
}

const NONE: ReadonlyMap<number, string | null> = new Map();

/** The whole command, stage by stage: chips, operators in words, effects, and what stands hidden in it. */
@Component({
  selector: 'cs-stages',
  imports: [Argv, Copy, Effects, Icon, Text],
  templateUrl: './stages.html',
  styleUrl: './stages.css',
})
export class Stages {
  readonly stages = input.required<readonly Stage[]>();
  readonly facts = input<readonly StageFacts[]>([]);
  /** Per stage, the words that differ from the last approved command of this family. */
  readonly changes = input<readonly ReadonlyMap<number, string | null>[]>([]);

  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly arrowOf = arrowOf;
  protected readonly isOneLine = signal(false);
  protected readonly line = computed(() => oneLine(this.stages()));
  protected readonly hidden = computed(() =>
    findings(this.stages().flatMap((stage) => [...stage.argv, ...stage.redirects.map((one) => one.path)])),
  );
  protected readonly count = computed(() => ({ words: wordCount(this.stages()), bytes: byteCount(this.stages()) }));
  protected readonly rows = computed<readonly StageRow[]>(() =>
    this.stages().map((stage, index, all) => {
      const next = all[index + 1];
      return {
        stage,
        facts: this.facts()[index],
        changes: this.changes()[index] ?? NONE,
        operator: next === undefined ? '' : OPERATORS[next.join],
        meaning: next === undefined ? null : meaningOf(next),
      };
    }),
  );
}

function meaningOf(next: Stage): WordKey | null {
  switch (next.join) {
    case 'pipe':
      return next.argv[0]?.endsWith('xargs') === true ? 'join_operands' : 'join_pipe';
    case 'and':
      return 'join_and';
    case 'or':
      return 'join_or';
    case 'then':
      return 'join_then';
    case 'first':
      return null;
  }
}
