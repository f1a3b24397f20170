// Converts the allocations of a job's hold for the table `jobs`: JSON has no bigint, and the stored
// key of a balance is `book`.
import type { JobAllocation } from '../../../store/schema/jobs.ts';
import type { Allocation } from '../../wallet/ledger/allocate-capture.ts';

export function toJobAllocations(allocations: readonly Allocation[]): readonly JobAllocation[] {
  return allocations.map(({ source, balance, amount }) => ({
    source,
    book: balance,
    amount: String(amount),
  }));
}

export function readAllocations(jobAllocations: readonly JobAllocation[]): readonly Allocation[] {
  return jobAllocations.map(({ source, book, amount }) => ({
    source,
    balance: book,
    amount: BigInt(amount),
  }));
}
