import type { Plan } from '#contracts';

/** The text as the requester sent it, where it says more than the chips: null when it is the same words. Pure. */
export function asSent(plan: Plan | undefined): string | null {
  const command = plan?.body.command ?? null;
  if (plan === undefined || command === null) return null;
  const words = plan.body.stages.map((stage) => stage.argv.join(' ')).join(' ');
  return bare(command) === bare(words) ? null : command;
}

/** Without quoting, operators and spacing, which the chips show in their own way. */
function bare(text: string): string {
  return text.replaceAll(/['"\\|&;\s]/g, '');
}
