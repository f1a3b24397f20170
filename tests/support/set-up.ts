// Vitest runs this file before each test file.
import { releaseAtEnd } from './at-end.ts';

releaseAtEnd();
