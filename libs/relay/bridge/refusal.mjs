/** A no of the bridge itself. What the host refuses keeps the host's own code. */
export class Refusal extends Error {
  constructor(code, message, status = 422) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
