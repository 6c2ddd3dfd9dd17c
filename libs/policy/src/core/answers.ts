import type { Ask, ErrorCode, QuestionAnswer, Result } from '#contracts';

const MAX_CUSTOM = 16_384;

/** Whether these answers fit what is asked and still open. The first to a question is the only one. */
export function checkAnswers(ask: Ask, answers: readonly QuestionAnswer[]): Result<readonly QuestionAnswer[]> {
  if (answers.length === 0) return refuse(ask, 'INPUT_INVALID', 'There is no answer');
  if (new Set(answers.map(({ id }) => id)).size < answers.length) return refuse(ask, 'INPUT_INVALID', 'A question is answered once');
  for (const answer of answers) {
    const fault = faultOf(ask, answer);
    if (fault) return fault;
  }
  return { ok: true, value: answers };
}

/** The ids of questions that nobody has answered, in the order in which they were asked. */
export function remainingOf({ questions = [], answers = [] }: Pick<Ask, 'questions' | 'answers'>): readonly string[] {
  return questions.map(({ id }) => id).filter((id) => !answers.some((given) => given.id === id));
}

function faultOf(ask: Ask, { id, selected, custom }: QuestionAnswer): Result<never> | undefined {
  const question = ask.questions?.find((one) => one.id === id);
  const about = { questionId: id };
  if (!question) return refuse(ask, 'INPUT_INVALID', 'No such question is asked here', about);
  const given = ask.answers?.find((one) => one.id === id);
  if (given)
    return refuse(ask, 'ASK_ALREADY_RESOLVED', `This question was answered already by ${given.byName}`, {
      ...about,
      by: given.byName,
      at: given.at,
      status: ask.status,
    });
  if (selected.length === 0 && (custom ?? '').trim() === '') return refuse(ask, 'INPUT_INVALID', 'The answer is empty', about);
  if ((custom ?? '').length > MAX_CUSTOM) return refuse(ask, 'INPUT_INVALID', 'The answer is too long', about);
  if (selected.length > 1 && question.multiSelect !== true) return refuse(ask, 'INPUT_INVALID', 'Only one option may be chosen', about);
  const labels = (question.options ?? []).map(({ label }) => label);
  if (new Set(selected).size < selected.length || !selected.every((label) => labels.includes(label)))
    return refuse(ask, 'INPUT_INVALID', 'An option that was chosen is not offered', { ...about, options: labels });
  return undefined;
}

function refuse({ id }: Ask, code: ErrorCode, message: string, more: Readonly<Record<string, unknown>> = {}): Result<never> {
  return { ok: false, code, message, details: { askId: id, ...more } };
}
