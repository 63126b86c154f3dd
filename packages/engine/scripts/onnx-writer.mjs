// The little of ONNX that a descriptor graph needs, written straight as protobuf: https://onnx.ai (onnx.proto3,
// IR version 8). Field numbers are those of that file. Same calls, same bytes.

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;

/** Element types of TensorProto.DataType. */
export const elementType = { float: 1, uint8: 2, int64: 7 };

/** A graph under construction: `add` appends a node and gives the name of its output. */
export function createGraph(name) {
  const nodes = [];
  const initializers = [];
  let lastNumber = 0;
  const nextName = (prefix) => `${prefix}_${++lastNumber}`;

  return {
    add(operator, inputs, attributes = {}, output = nextName(operator.toLowerCase())) {
      nodes.push(
        message(
          ...inputs.map((input) => text(1, input)),
          text(2, output),
          text(4, operator),
          ...Object.entries(attributes).map(([key, value]) => bytes(5, attribute(key, value))),
        ),
      );
      return output;
    },
    floats(values, shape = [values.length]) {
      const constant = nextName("floats");
      const raw = Buffer.alloc(values.length * 4);
      values.forEach((value, at) => {
        raw.writeFloatLE(value, at * 4);
      });
      initializers.push(tensor(constant, elementType.float, shape, raw));
      return constant;
    },
    integers(values) {
      const constant = nextName("integers");
      const raw = Buffer.alloc(values.length * 8);
      values.forEach((value, at) => {
        raw.writeBigInt64LE(BigInt(value), at * 8);
      });
      initializers.push(tensor(constant, elementType.int64, [values.length], raw));
      return constant;
    },
    finish({ input, output, opset, producer, description }) {
      const graph = message(
        ...nodes.map((node) => bytes(1, node)),
        text(2, name),
        ...initializers.map((one) => bytes(5, one)),
        bytes(11, valueInfo(input)),
        bytes(12, valueInfo(output)),
      );
      return message(
        integer(1, 8),
        text(2, producer),
        text(6, description),
        bytes(7, graph),
        bytes(8, message(text(1, ""), integer(2, opset))),
      );
    },
  };
}

function tensor(name, type, shape, raw) {
  return message(...shape.map((size) => integer(1, size)), integer(2, type), text(8, name), bytes(9, raw));
}

function valueInfo({ name, type, shape }) {
  const dimensions = shape.map((size) =>
    bytes(1, typeof size === "string" ? text(2, size) : integer(1, size)),
  );
  const tensorType = message(integer(1, type), bytes(2, message(...dimensions)));
  return message(text(1, name), bytes(2, bytes(1, tensorType)));
}

function attribute(name, value) {
  if (Array.isArray(value)) {
    return message(text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7));
  }
  if (Number.isInteger(value)) return message(text(1, name), integer(3, value), integer(20, 2));
  throw new TypeError(`no such attribute value: ${name}`);
}

function message(...fields) {
  return Buffer.concat(fields);
}

function integer(field, value) {
  return message(tag(field, WIRE_VARINT), varint(value));
}

function text(field, value) {
  return bytes(field, Buffer.from(value, "utf8"));
}

function bytes(field, value) {
  return message(tag(field, WIRE_BYTES), varint(value.length), value);
}

function tag(field, wire) {
  return varint(field * 8 + wire);
}

/** Base 128, least significant first; a negative number as its 64-bit two's complement. */
function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out = [];
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Buffer.from(out);
}
