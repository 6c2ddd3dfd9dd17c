import { Component, computed, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Copy } from '../../shared/copy.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { PolicyStore } from './policy.store.js';
import { RuleCard } from './rule-card.js';
import { YamlText } from './yaml-text.js';

/** What is in force, in readable form or as its text: the rules of the team, then the built-in policy that always applies. */
@Component({
  selector: 'cs-rules-page',
  imports: [Copy, Empty, Failure, Mark, RouterLink, RuleCard, Skeleton, Text, Time, YamlText],
  templateUrl: './rules-page.html',
  styleUrl: './rules-page.css',
})
export class RulesPage {
  protected readonly store = inject(PolicyStore);
  protected readonly me = inject(Me);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly isText = signal(false);
  protected readonly find = signal('');
  protected readonly findings = computed(() => {
    const wanted = this.find().trim().toLowerCase();
    const all = this.store.base()?.findings ?? [];
    return wanted === '' ? all : all.filter(({ name, says }) => `${name} ${says}`.toLowerCase().includes(wanted));
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('policy') }));
    void this.store.loadBase();
  }
}
