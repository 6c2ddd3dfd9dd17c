import { NEVER } from 'rxjs';
import { AppError } from '#platform';
import { HostDriver } from './host-driver.js';

/** Stands where no connection was made yet: everything is refused. */
export class AwayDriver extends HostDriver {
  override readonly events = NEVER;
  override readonly connect = refuse;
  override readonly close = (): Promise<void> => Promise.resolve();
  override readonly sessions = refuse;
  override readonly log = refuse;
  override readonly createSession = refuse;
  override readonly resume = refuse;
  override readonly send = refuse;
  override readonly cancel = refuse;
  override readonly whenIdle = refuse;
  override readonly rename = refuse;
  override readonly goal = refuse;
  override readonly createGoal = refuse;
  override readonly editGoal = refuse;
  override readonly pauseGoal = refuse;
  override readonly resumeGoal = refuse;
  override readonly clearGoal = refuse;
  override readonly answerApproval = refuse;
  override readonly answerQuestions = refuse;
  override readonly workspaces = refuse;
  override readonly registerWorkspace = refuse;
  override readonly credentials = refuse;
}

function refuse(): Promise<never> {
  return Promise.reject(new AppError('HOST_UNAVAILABLE', 'The host is not connected'));
}
