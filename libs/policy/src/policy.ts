import { Injectable } from '@nestjs/common';
import type { Decision, Result, Stage } from '#contracts';
import { BASE_POLICY, decideCommand, parseCommand, PathLook, type CommandQuestion, type Where } from './core/index.js';

/** Owner of the built-in policy. Decides; remembers nothing. What the team's document makes of it says `Rulings`. */
@Injectable()
export class Policy {
  readonly #document = BASE_POLICY;

  constructor(private readonly look: PathLook) {}

  /** A command string as stages, or why it is refused: COMMAND_INVALID or COMMAND_LIMIT. */
  parse(text: string, where: Where): Result<readonly Stage[]> {
    return parseCommand(text, where, this.look);
  }

  decide(question: CommandQuestion): Decision {
    return decideCommand(question, this.look, this.#document);
  }
}
