import { Clock } from '#platform';

/** A clock that stands until a test moves it. */
export class TestClock extends Clock {
  constructor(public at = 1_000) {
    super();
  }

  /** How far the wall clock was set forward. */
  jump = 0;

  override now(): number {
    return this.at + this.jump;
  }

  override steady(): number {
    return this.at;
  }
}
