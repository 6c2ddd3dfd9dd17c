/** Facts of this process that do not change. */
export class ServerInfo {
  constructor(
    readonly startedAt: number,
    readonly version: string,
  ) {}
}
