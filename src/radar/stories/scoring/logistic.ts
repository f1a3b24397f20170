export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
