// Logistic regression by Newton's method with a ridge penalty: small, exact and deterministic.

export type Example = {
  readonly features: Float64Array;
  readonly isTrue: boolean;
  readonly weight: number;
};

/** The weights of maximum likelihood. `ridge` pulls all weights but the first towards `prior`. */
export function fitLogistic(
  examples: readonly Example[],
  ridge: number,
  prior: Float64Array = new Float64Array(examples[0]?.features.length ?? 0),
): Float64Array {
  const size = prior.length;
  let weights: Float64Array = Float64Array.from(prior);
  const rows = flatten(examples, size);
  for (let round = 0; round < 25; round += 1) {
    const { hessian, gradient } = derivatives(examples, rows, weights);
    for (let index = 0; index < size; index += 1) {
      const pull = index === 0 ? 1e-6 : ridge;
      gradient[index] =
        (gradient[index] ?? 0) - pull * ((weights[index] ?? 0) - (prior[index] ?? 0));
      const matrixRow = hessian[index];
      if (matrixRow !== undefined) matrixRow[index] = (matrixRow[index] ?? 0) + pull;
    }
    const step = solve(hessian, gradient);
    // Far from the optimum a full step can overshoot, so the step is halved until it improves.
    let share = 1;
    let next = addStep(weights, step, share);
    const lossBefore = loss(examples, rows, weights, prior, ridge);
    while (share > 1e-3 && !(loss(examples, rows, next, prior, ridge) <= lossBefore)) {
      share /= 2;
      next = addStep(weights, step, share);
    }
    const hasConverged = next.every(
      (value, index) => Math.abs(value - (weights[index] ?? 0)) < 1e-3,
    );
    weights = next;
    if (hasConverged) break;
  }
  return weights;
}

const addStep = (weights: Float64Array, step: Float64Array, share: number) =>
  weights.map((value, index) => value + share * (step[index] ?? 0));

/** All features in one array: one array per example took most of the time. */
function flatten(examples: readonly Example[], size: number): Float64Array {
  const rows = new Float64Array(examples.length * size);
  examples.forEach(({ features }, row) => {
    rows.set(features, row * size);
  });
  return rows;
}

function derivatives(examples: readonly Example[], rows: Float64Array, weights: Float64Array) {
  const size = weights.length;
  const hessian = Array.from({ length: size }, () => new Float64Array(size));
  const gradient = new Float64Array(size);
  const usedColumns = new Uint16Array(size);
  examples.forEach(({ isTrue, weight }, row) => {
    const base = row * size;
    const probability = 1 / (1 + Math.exp(-logOddsOf(rows, base, weights)));
    const error = weight * ((isTrue ? 1 : 0) - probability);
    const curvature = weight * Math.max(probability * (1 - probability), 1e-9);
    let count = 0;
    for (let index = 0; index < size; index += 1) {
      if (rows[base + index] !== 0) usedColumns[count++] = index;
    }
    for (let used = 0; used < count; used += 1) {
      const rowIndex = usedColumns[used] ?? 0;
      const value = rows[base + rowIndex] ?? 0;
      gradient[rowIndex] = (gradient[rowIndex] ?? 0) + error * value;
      const matrixRow = hessian[rowIndex] ?? gradient;
      for (let earlier = 0; earlier <= used; earlier += 1) {
        const column = usedColumns[earlier] ?? 0;
        matrixRow[column] =
          (matrixRow[column] ?? 0) + curvature * value * (rows[base + column] ?? 0);
      }
    }
  });
  hessian.forEach((matrixRow, index) => {
    for (let to = index + 1; to < size; to += 1) matrixRow[to] = hessian[to]?.[index] ?? 0;
  });
  return { hessian, gradient };
}

function logOddsOf(rows: Float64Array, base: number, weights: Float64Array): number {
  let logOdds = 0;
  for (let index = 0; index < weights.length; index += 1) {
    logOdds += (rows[base + index] ?? 0) * (weights[index] ?? 0);
  }
  return logOdds;
}

function loss(
  examples: readonly Example[],
  rows: Float64Array,
  weights: Float64Array,
  prior: Float64Array,
  ridge: number,
): number {
  let sum = 0;
  examples.forEach(({ isTrue, weight }, row) => {
    const logOdds = logOddsOf(rows, row * weights.length, weights);
    const negativeMargin = isTrue ? -logOdds : logOdds;
    sum +=
      weight *
      (negativeMargin > 0
        ? negativeMargin + Math.log1p(Math.exp(-negativeMargin))
        : Math.log1p(Math.exp(negativeMargin)));
  });
  weights.forEach((value, index) => {
    sum += ((index === 0 ? 1e-6 : ridge) / 2) * (value - (prior[index] ?? 0)) ** 2;
  });
  return sum;
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const rows = matrix.map((row, index) => Float64Array.of(...row, right[index] ?? 0));
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    }
    const pivotRow = rows[pivot] ?? new Float64Array(size + 1);
    rows[pivot] = rows[column] ?? pivotRow;
    rows[column] = pivotRow;
    for (let row = column + 1; row < size; row += 1) {
      const matrixRow = rows[row];
      if (matrixRow === undefined) continue;
      const factor = (matrixRow[column] ?? 0) / (pivotRow[column] || 1e-12);
      if (factor === 0) continue;
      for (let position = column; position <= size; position += 1) {
        matrixRow[position] = (matrixRow[position] ?? 0) - factor * (pivotRow[position] ?? 0);
      }
    }
  }
  const result = new Float64Array(size);
  for (let row = size - 1; row >= 0; row -= 1) {
    const matrixRow = rows[row] ?? new Float64Array(size + 1);
    let sum = matrixRow[size] ?? 0;
    for (let position = row + 1; position < size; position += 1)
      sum -= (matrixRow[position] ?? 0) * (result[position] ?? 0);
    result[row] = sum / (matrixRow[row] || 1e-12);
  }
  return result;
}
