import { MODES, type Mode } from '#contracts';

/** The mode that lets less run without a person. `MODES` lists the strictest first. */
export function stricterMode(one: Mode, other: Mode): Mode {
  return MODES.indexOf(one) <= MODES.indexOf(other) ? one : other;
}
