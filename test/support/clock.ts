import { Clock } from '#platform';

/** A clock that stands until a test moves it. */
export class TestClock extends Clock {
  constructor(public at = 1_000) {
    super();
  }

  override now(): number {
    return this.at;
  }
}
