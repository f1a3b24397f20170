// Maps between the two ids of a story: the engine's, after the item that founded it, and the public
// one. A story from the store has its public id in the engine too, and needs no entry.
import { isStoryId } from './story-id.ts';

export type Names = ReturnType<typeof openNames>;

export function openNames() {
  const publicIds = new Map<string, string>();
  const engineNames = new Map<string, string>();
  const dropEngine = (engineName: string): void => {
    const publicId = publicIds.get(engineName);
    publicIds.delete(engineName);
    if (publicId !== undefined) engineNames.delete(publicId);
  };
  return {
    /** Null: the engine has founded the story, which has no public id yet. */
    publicOf: (engineName: string) =>
      publicIds.get(engineName) ?? (isStoryId(engineName) ? engineName : null),
    engineOf: (publicId: string) => engineNames.get(publicId) ?? publicId,
    set(engineName: string, publicId: string): void {
      dropEngine(engineName);
      const before = engineNames.get(publicId);
      if (before !== undefined) publicIds.delete(before);
      if (engineName === publicId) return;
      publicIds.set(engineName, publicId);
      engineNames.set(publicId, engineName);
    },
    /** The story no longer exists; its engine id may be reused. */
    drop(publicId: string): void {
      const engineName = engineNames.get(publicId);
      if (engineName !== undefined) dropEngine(engineName);
    },
    dropEngine,
    engineNames: (): readonly string[] => [...publicIds.keys()],
  };
}
