import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { AppError } from '../app-error.js';

const MAX_ISSUES = 20;
const MAX_PATH = 100;

/** The field may be left out. Null is a value like any other: it is refused where the type does not take it. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_object, value) => value !== undefined);

interface Issue {
  readonly path: string;
  readonly rules: readonly string[];
}

/** The one check of REST bodies and queries. A refusal names paths and rules, never values. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => {
      const issues = errors.flatMap((error) => toIssues(error, ''));
      const paths = issues.map(({ path }) => path).slice(0, 3);
      return new AppError('INPUT_INVALID', `The request is not valid: ${paths.join(', ')}`, { issues: issues.slice(0, MAX_ISSUES) });
    },
  });
}

function toIssues({ property, constraints, children }: ValidationError, above: string): Issue[] {
  const path = `${above}${property}`.slice(0, MAX_PATH);
  const own = constraints ? [{ path, rules: Object.keys(constraints) }] : [];
  return [...own, ...(children ?? []).flatMap((child) => toIssues(child, `${path}.`))];
}
