// What a new password must be: only long enough. Rules about its letters make people choose worse.
import { passwordLength } from '../../kernel/crypto/password.ts';

/** Null: it will do. */
export function passwordProblem(password: string): 'length' | null {
  const { min, max } = passwordLength;
  const length = Array.from(password).length;
  return length < min || length > max ? 'length' : null;
}
