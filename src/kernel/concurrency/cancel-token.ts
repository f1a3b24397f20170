// Signals that work is cancelled, with a reason. It replaces AbortSignal on the relay path, where
// the listeners of a signal cost more than the work that they cancel.

export class CancelToken<Reason extends string = string> {
  /** Null while the work continues. */
  reason: Reason | null = null;
  private listeners: Set<() => void> | null = null;
  private controller: AbortController | null = null;

  /** Only the first reason counts. */
  cancel(reason: Reason): void {
    if (this.reason !== null) return;
    this.reason = reason;
    const { listeners } = this;
    this.listeners = null;
    this.controller?.abort(reason);
    if (listeners !== null) for (const listener of listeners) listener();
  }

  /** Calls the listener once, immediately when the token is already cancelled. */
  on(listener: () => void): void {
    if (this.reason !== null) {
      listener();
      return;
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  off(listener: () => void): void {
    this.listeners?.delete(listener);
  }

  /** For APIs that accept only an AbortSignal. The signal is created on first use. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.reason !== null) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }
}
