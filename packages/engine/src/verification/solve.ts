/**
 * Solves a symmetric positive definite system in place by Cholesky decomposition. `matrix`, row by row,
 * `count` wide, of which only the lower half is read, is overwritten; `vector` becomes the solution. Returns
 * false when the matrix is not positive definite.
 */
export function solve(matrix: Float64Array, vector: Float64Array, count: number): boolean {
  for (let row = 0; row < count; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * count + column] ?? 0;
      for (let k = 0; k < column; k++) {
        sum -= (matrix[row * count + k] ?? 0) * (matrix[column * count + k] ?? 0);
      }
      if (row === column) {
        if (sum <= 1e-12) return false;
        matrix[row * count + row] = Math.sqrt(sum);
      } else {
        matrix[row * count + column] = sum / (matrix[column * count + column] ?? 1);
      }
    }
  }
  for (let row = 0; row < count; row++) {
    let sum = vector[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= (matrix[row * count + k] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * count + row] ?? 1);
  }
  for (let row = count - 1; row >= 0; row--) {
    let sum = vector[row] ?? 0;
    for (let k = row + 1; k < count; k++) sum -= (matrix[k * count + row] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * count + row] ?? 1);
  }
  return true;
}
