/** The transaction's status does not allow the event. Nothing has changed. */
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
