import { crc32, inflateRawSync } from "node:zlib";

/** Unpacks a ZIP archive into its files by name. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf("PK\x05\x06");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + packed);
    files.set(zip.toString("utf8", at + 46, at + 46 + name), method === 0 ? bytes : inflateRawSync(bytes));
    at += 46 + name + extra + comment;
  }
  return files;
}

/** Packs files into a ZIP archive without compression. */
export function zip(files: Iterable<[string, Buffer | string]>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, content] of files) {
    const [title, body] = [Buffer.from(name), Buffer.from(content)];
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt16LE(20, 4);
    // This flag says that file names are in UTF-8.
    header.writeUInt16LE(0x800, 6);
    header.writeUInt16LE(0x21, 12);
    header.writeUInt32LE(crc32(body), 14);
    header.writeUInt32LE(body.length, 18);
    header.writeUInt32LE(body.length, 22);
    header.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(20, 4);
    header.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    bodies.push(header, title, body);
    directory.push(entry, title);
    at += header.length + title.length + body.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
