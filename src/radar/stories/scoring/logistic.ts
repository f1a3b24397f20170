// Log-odds as a probability.

export const probability = (odds: number): number => 1 / (1 + Math.exp(-odds));
