import { Injectable } from '@nestjs/common';

/** The one source of time, in milliseconds since 1970; tests bring their own. */
export abstract class Clock {
  abstract now(): number;
  /** Milliseconds since some moment of this process. Never jumps, whatever is done to the machine's time. */
  abstract steady(): number;
}

@Injectable()
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override steady(): number {
    return performance.now();
  }
}
