// Proof of work of the sign-up form: a number whose SHA-256 with the form's challenge begins with
// enough zero bits. It runs in short slices from the first focus on, so the page stays responsive.
// crypto.subtle is absent on plain http, so the hash is here.

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((p) => n % p !== 0)) PRIMES.push(n);
/** The first 32 bits of the fraction of a root. */
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const words = new Int32Array(64);
const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** The first word of the SHA-256 of an ASCII text of at most 55 characters. */
function firstWord(text) {
  words.fill(0, 0, 16);
  for (let at = 0; at < text.length; at += 1) {
    words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
  }
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  words[15] = text.length * 8;
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15], words[at - 2]];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16] + low + words[at - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = START;
  for (let at = 0; at < 64; at += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (START[0] + a) | 0;
}

const SLICE_MS = 25;

/** Calls `onFound` with the number, after slices of work. */
function search(challenge, onFound) {
  const [bits, , nonce] = challenge.split('.')[0].split(':');
  let number = 0;
  const slice = () => {
    for (const end = performance.now() + SLICE_MS; performance.now() < end; ) {
      for (const last = number + 500; number < last; number += 1) {
        if (Math.clz32(firstWord(`${nonce}:${number}`)) >= Number(bits)) return onFound(number);
      }
    }
    setTimeout(slice);
  };
  slice();
}

for (const form of document.querySelectorAll('form:has([name="challenge"])')) {
  const { challenge, proof } = form.elements;
  const status = form.querySelector('[role="status"]');
  let isBegun = false;
  let isSubmitted = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    search(challenge.value, (number) => {
      proof.value = String(number);
      if (isSubmitted) form.requestSubmit();
    });
  };
  form.addEventListener('focusin', begin);
  form.addEventListener('submit', (event) => {
    if (proof.value !== '') return;
    event.preventDefault();
    isSubmitted = true;
    status.hidden = false;
    begin();
  });
}
