/**
 * Messages to the canvas (src/ui/message.hpp): a tag and its contents for every value, little-endian. Members of
 * objects are written in their order, without names: the order of the view model's JSON is that of the C++ structs.
 */

/** @typedef {import("./types").Sendable} Sendable */

/** A number and its unit stay on one line. */
const kNumberAndUnit = /(\d) ([KMGT]i?B\b|bytes\b|bits\b|%|×)/g;
const kEncoder = new TextEncoder();

class Writer {
  constructor() {
    this.bytes = new Uint8Array(1 << 16);
    this.view = new DataView(this.bytes.buffer);
    this.length = 0;
  }

  /** @param {number} size */
  room(size) {
    if (this.length + size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + size));
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** @param {string} letter @param {number} count */
  open(letter, count) {
    this.room(5);
    this.view.setUint8(this.length, letter.charCodeAt(0));
    this.view.setUint32(this.length + 1, count, true);
    this.length += 5;
  }

  /** @param {string} text */
  text(text) {
    const bytes = kEncoder.encode(text.replace(kNumberAndUnit, "$1\u00a0$2"));
    this.open("s", bytes.length);
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** @param {number} number */
  number(number) {
    this.room(9);
    this.view.setUint8(this.length, "n".charCodeAt(0));
    this.view.setFloat64(this.length + 1, number, true);
    this.length += 9;
  }

  /** @param {boolean} flag */
  flag(flag) {
    this.room(2);
    this.view.setUint8(this.length, "b".charCodeAt(0));
    this.view.setUint8(this.length + 1, flag ? 1 : 0);
    this.length += 2;
  }

  /** @param {Sendable} value */
  value(value) {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.number(value);
    if (typeof value === "boolean") return this.flag(value);
    const items = Array.isArray(value) ? value : Object.values(value);
    this.open(Array.isArray(value) ? "[" : "{", items.length);
    for (const item of items) this.value(item);
  }
}

/**
 * @param {Sendable} value
 * @returns {Uint8Array}
 */
export function messageFrom(value) {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes.slice(0, writer.length);
}
