/** Thrown without an effect for an event that the transaction's status does not allow. */
export class IllegalMove extends Error {
  readonly status: string;
  readonly event: string;
  constructor(status: string, event: string) {
    super(`a transaction in ${status} cannot take the event ${event}`);
    this.name = 'IllegalMove';
    this.status = status;
    this.event = event;
  }
}
