import { Injectable } from '@nestjs/common';

/** The one source of time, in milliseconds since 1970; tests bring their own. */
export abstract class Clock {
  abstract now(): number;
}

@Injectable()
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}
