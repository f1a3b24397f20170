// Proof of work of the sign-up form: a number whose SHA-256 with the form's challenge begins with
// enough zero bits. The search starts at the first focus and runs in short slices, so the page
// stays responsive. crypto.subtle is absent on plain http, so this file contains the hash function
// (FIPS 180-4).

const PRIMES = [];
for (let candidate = 2; PRIMES.length < 64; candidate += 1) {
  if (PRIMES.every((prime) => candidate % prime !== 0)) PRIMES.push(candidate);
}
/** The first 32 bits of the fraction of a root. */
const fractionBits = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));
const words = new Int32Array(64);
const rotateRight = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** The first word of the SHA-256 of an ASCII text of at most 55 characters. */
function firstWord(text) {
  words.fill(0, 0, 16);
  for (let index = 0; index < text.length; index += 1) {
    words[index >> 2] |= text.charCodeAt(index) << (24 - 8 * (index & 3));
  }
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  words[15] = text.length * 8;
  for (let index = 16; index < 64; index += 1) {
    const [word15, word2] = [words[index - 15], words[index - 2]];
    const low = rotateRight(word15, 7) ^ rotateRight(word15, 18) ^ (word15 >>> 3);
    const high = rotateRight(word2, 17) ^ rotateRight(word2, 19) ^ (word2 >>> 10);
    words[index] = words[index - 16] + low + words[index - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = START;
  for (let index = 0; index < 64; index += 1) {
    const high = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const temporary1 = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[index] + words[index]) | 0;
    const low = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const temporary2 = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + temporary1) | 0;
    d = c;
    c = b;
    b = a;
    a = (temporary1 + temporary2) | 0;
  }
  return (START[0] + a) | 0;
}

const SLICE_MS = 25;

/** Searches in slices, and calls `onFound` with the number. */
function search(challenge, onFound) {
  const [bits, , nonce] = challenge.split('.')[0].split(':');
  let number = 0;
  const slice = () => {
    for (const end = performance.now() + SLICE_MS; performance.now() < end; ) {
      for (const sliceEnd = number + 500; number < sliceEnd; number += 1) {
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
  let isStarted = false;
  let isSubmitted = false;
  const startSearch = () => {
    if (isStarted) return;
    isStarted = true;
    search(challenge.value, (number) => {
      proof.value = String(number);
      if (isSubmitted) form.requestSubmit();
    });
  };
  form.addEventListener('focusin', startSearch);
  form.addEventListener('submit', (event) => {
    if (proof.value !== '') return;
    event.preventDefault();
    isSubmitted = true;
    status.hidden = false;
    startSearch();
  });
}
