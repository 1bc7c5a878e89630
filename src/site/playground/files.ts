import { h } from './dom.ts';

const MAX_FILES = 2000;

export async function filesOfDrop(transfer: DataTransfer): Promise<File[]> {
  // The items are gone after the first await.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry === null || entry.isFile)) return plain;
  const files: File[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, files);
  return files;
}

async function collect(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    if (!file.name.startsWith('.')) files.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const entries: FileSystemEntry[] = [];
  // A folder is listed in parts; an empty one is the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) break;
    entries.push(...part);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const each of entries) await collect(each, files);
}

export function acceptDrops(element: HTMLElement, onFiles: (files: readonly File[]) => void): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (over: boolean): void => {
    element.classList.toggle('over', over);
  };
  element.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  element.addEventListener('dragleave', () => mark(false));
  element.addEventListener('drop', (event) => {
    mark(false);
    if (!hasFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    event.stopPropagation();
    void filesOfDrop(event.dataTransfer).then(onFiles);
  });
}

export function fileButton(text: string, folder: boolean, onFiles: (files: readonly File[]) => void): HTMLElement {
  const input = h('input', {
    type: 'file',
    class: 'visually-hidden',
    multiple: true,
    webkitdirectory: folder,
    onchange: () => {
      const files = [...(input.files ?? [])].filter(({ name }) => !name.startsWith('.'));
      input.value = '';
      if (files.length > 0) onFiles(files);
    },
  });
  return h('label.button', text, input);
}
