// Lends buffers of one size, which are used again. A busy process frees the buffers of large
// responses late, so each response needed new memory: up to 21,000 page faults a second (decision
// 0300).

export type PooledBuffer = {
  /** The requested length; its content is undefined. */
  readonly bytes: Buffer;
  /** Returns the buffer to the pool. A buffer that is never released is garbage-collected. */
  release(): void;
};

export type BufferPool = {
  /** Lengths above the block size return a buffer outside of the pool. */
  take(length: number): PooledBuffer;
};

/** `maxFreeBlocks`: number of unused blocks that stay in memory. */
export function openBufferPool(blockBytes: number, maxFreeBlocks: number): BufferPool {
  const freeBlocks: Buffer[] = [];
  return {
    take: (length) => {
      if (length > blockBytes) return { bytes: Buffer.allocUnsafeSlow(length), release: () => {} };
      const block = freeBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
      let isReleased = false;
      return {
        bytes: block.subarray(0, length),
        release: () => {
          if (isReleased) return;
          isReleased = true;
          if (freeBlocks.length < maxFreeBlocks) freeBlocks.push(block);
        },
      };
    },
  };
}
