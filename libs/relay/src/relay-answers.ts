import { Injectable } from '@nestjs/common';
import type { Ask, Principal } from '#contracts';
import { AppError } from '#platform';
import { Asks } from '#policy';
import { approvalIdOf, questionIdOf, readQuestionId } from './core/waiting.js';
import { OpenAsks } from './open-asks.js';
import { SessionReads } from './session-reads.js';

export interface ApproveOne {
  readonly sessionId: string;
  readonly approvalId: string;
  readonly decision: 'approve' | 'reject';
}

export interface AnswerOne {
  readonly questionId: string;
  readonly sessionId?: string | undefined;
  readonly selected: readonly string[];
  readonly custom?: string | undefined;
}

/** What the two answering tools do: they find the ask by its short id, and the one rule of votes decides whether it counts. */
@Injectable()
export class RelayAnswers {
  constructor(
    private readonly asks: Asks,
    private readonly open: OpenAsks,
    private readonly reads: SessionReads,
  ) {}

  async approve(principal: Principal, { sessionId, approvalId, decision }: ApproveOne): Promise<Ask> {
    await this.reads.state(principal, sessionId, 'relay:drive');
    const ask = this.open.all().find((one) => one.kind === 'host_approval' && (approvalIdOf(one) === approvalId || one.id === approvalId));
    if (!ask) throw new AppError('APPROVAL_NOT_FOUND', 'No such approval waits', { approval_id: approvalId });
    if (ask.host?.hostSessionId !== sessionId)
      throw new AppError('APPROVAL_SESSION_MISMATCH', 'This approval belongs to another session', { approval_id: approvalId });
    const answer = decision === 'approve' ? 'approve' : 'deny';
    return this.#inWordsOf('APPROVAL_NOT_FOUND', () =>
      this.asks.answer({ principal, askId: ask.id, digest: ask.digest, decision: answer }),
    );
  }

  async answer(principal: Principal, { questionId, sessionId, selected, custom }: AnswerOne) {
    const { ask, place } = this.#questionOf(questionId, sessionId);
    await this.reads.state(principal, ask.host?.hostSessionId ?? '', 'relay:drive');
    const id = ask.questions?.[place]?.id;
    if (id === undefined) throw noQuestion(questionId);
    const answers = [{ id, selected, ...(custom !== undefined && { custom }) }];
    const after = await this.#inWordsOf('QUESTION_NOT_FOUND', () =>
      this.asks.answer({ principal, askId: ask.id, digest: ask.digest, answers }),
    );
    const left = openPlaces(after);
    const [next] = left;
    return {
      question_id: questionId,
      accepted: true,
      status: after.status,
      remaining_questions: left.length,
      next_question_id: next === undefined ? null : questionIdOf(after, next, after.questions?.length ?? 1),
      delivery: after.delivery ?? 'none',
    };
  }

  /** A batch's own id means the first question that is still open. */
  #questionOf(questionId: string, sessionId: string | undefined): { readonly ask: Ask; readonly place: number } {
    const read = readQuestionId(questionId);
    const ask = read && this.open.all().find(({ id, kind }) => kind === 'host_question' && id.endsWith(read.tail));
    if (!read || !ask || (sessionId !== undefined && ask.host?.hostSessionId !== sessionId)) throw noQuestion(questionId);
    return { ask, place: read.place ?? openPlaces(ask)[0] ?? 0 };
  }

  /** What the ask engine refuses, in the relay's own codes. */
  async #inWordsOf(gone: 'APPROVAL_NOT_FOUND' | 'QUESTION_NOT_FOUND', work: () => Promise<Ask>): Promise<Ask> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isGone = error.code === 'ASK_NOT_FOUND' || error.code === 'ASK_ALREADY_RESOLVED' || error.code === 'ASK_EXPIRED';
      if (isGone) throw new AppError(gone, error.message, error.details, { cause: error });
      if (error.code === 'INPUT_INVALID') throw new AppError('INVALID_ANSWER', error.message, error.details, { cause: error });
      throw error;
    }
  }
}

function openPlaces({ questions = [], answers = [] }: Ask): readonly number[] {
  return questions.flatMap(({ id }, place) => (answers.some((given) => given.id === id) ? [] : [place]));
}

function noQuestion(questionId: string): AppError {
  return new AppError('QUESTION_NOT_FOUND', 'No such question waits', { question_id: questionId });
}
