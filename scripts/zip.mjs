import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** Unpacks a ZIP archive into its files by name. @param {Buffer} zip @returns {Map<string, Buffer>} */
export function unzip(zip) {
  const end = zip.lastIndexOf("PK\x05\x06");
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + packed);
    files.set(zip.toString("utf8", at + 46, at + 46 + name), method === 0 ? bytes : inflateRawSync(bytes));
    at += 46 + name + extra + comment;
  }
  return files;
}

/**
 * Packs files into a ZIP archive, without compression unless `isCompressed`.
 * @param {Iterable<[string, Buffer | string]>} files
 * @param {{ isCompressed?: boolean }} [options]
 * @returns {Buffer}
 */
export function zip(files, { isCompressed = false } = {}) {
  /** @type {[Buffer[], Buffer[]]} */
  const [bodies, directory] = [[], []];
  let at = 0;
  for (const [name, content] of files) {
    const [title, body] = [Buffer.from(name), Buffer.from(content)];
    const packed = isCompressed ? deflateRawSync(body) : body;
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt16LE(20, 4);
    // This flag says that file names are in UTF-8.
    header.writeUInt16LE(0x800, 6);
    header.writeUInt16LE(isCompressed ? 8 : 0, 8);
    header.writeUInt16LE(0x21, 12);
    header.writeUInt32LE(crc32(body), 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(body.length, 22);
    header.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(20, 4);
    header.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    bodies.push(header, title, packed);
    directory.push(entry, title);
    at += header.length + title.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
