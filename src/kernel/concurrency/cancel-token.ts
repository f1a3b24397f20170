// That something is over, and why: told once to everybody who listens. What an AbortSignal does,
// for what happens thousands of times a second: a signal's listeners and its event cost a chat call
// more than what they guard.

export class Halt<Why extends string = string> {
  /** Null: not over. */
  why: Why | null = null;
  private listeners: Set<() => void> | null = null;
  private controller: AbortController | null = null;

  /** Only the first reason counts. */
  call(why: Why): void {
    if (this.why !== null) return;
    this.why = why;
    const { listeners } = this;
    this.listeners = null;
    this.controller?.abort(why);
    if (listeners !== null) for (const listener of listeners) listener();
  }

  /** Called once, at once when it is over already. */
  on(listener: () => void): void {
    if (this.why !== null) {
      listener();
      return;
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  off(listener: () => void): void {
    this.listeners?.delete(listener);
  }

  /** For what knows nothing else; made when it is asked for. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.why !== null) this.controller.abort(this.why);
    }
    return this.controller.signal;
  }
}
