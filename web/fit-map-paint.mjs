/**
 * Paints the fit map's field into a canvas: with the shader of shaders/fit_map.frag on WebGL2, or by hand where there is none.
 * @typedef {object} Field
 * @property {number} width samples along x
 * @property {number} height
 * @property {Float32Array} values log2 of bytes and 1 (or 0: refused) for each sample, row by row from below
 * @property {[number, number]} span log2 of the bytes of the darkest and the lightest colour
 * @property {number} usable log2 of the usable bytes
 * @property {number[]} levels log2 of the bytes of the lines
 * @typedef {Record<"low" | "high" | "beyond" | "bare" | "ink", string>} Colours as #rrggbb
 */
const kMostLevels = 8;

/** Björn Ottosson, "A perceptual color space for image processing" (2020). @param {string} hex @returns {[number, number, number]} */
function oklab(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {WebGL2RenderingContext} gl @param {number} kind @param {string} source */
function shader(gl, kind, source) {
  const made = /** @type {WebGLShader} */ (gl.createShader(kind));
  gl.shaderSource(made, source);
  gl.compileShader(made);
  if (!gl.getShaderParameter(made, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(made) ?? "shader");
  return made;
}

/** @param {WebGL2RenderingContext} gl @param {{ vertex: string, fragment: string }} sources */
function program(gl, sources) {
  const made = /** @type {WebGLProgram} */ (gl.createProgram());
  gl.attachShader(made, shader(gl, gl.VERTEX_SHADER, sources.vertex));
  gl.attachShader(made, shader(gl, gl.FRAGMENT_SHADER, sources.fragment));
  gl.linkProgram(made);
  return made;
}

export class Painter {
  /** @param {HTMLCanvasElement} canvas @param {{ vertex: string, fragment: string }} sources */
  constructor(canvas, sources) {
    this.canvas = canvas;
    this.sources = sources;
    this.gl = canvas.getContext("webgl2", { antialias: false, depth: false, preserveDrawingBuffer: true });
    /** @type {[Field, Colours, number[]] | undefined} */
    this.painted = undefined;
    if (this.gl) this.prepare(this.gl);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      if (this.gl) this.prepare(this.gl);
      if (this.painted) this.paint(...this.painted);
    });
  }

  /** @param {WebGL2RenderingContext} gl */
  prepare(gl) {
    this.program = program(gl, this.sources);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }

  /** @param {Field} field @param {Colours} colours @param {number[]} sides in CSS pixels */
  paint(field, colours, sides) {
    this.painted = [field, colours, sides];
    const { canvas } = this;
    const size = sides.map((side) => Math.round(side * devicePixelRatio));
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    if (this.gl) this.paintByShader(this.gl, field, colours);
    else this.paintByHand(field, colours);
  }

  /** @param {WebGL2RenderingContext} gl @param {Field} field @param {Colours} colours */
  paintByShader(gl, { width, height, values, span, usable, levels }, colours) {
    const made = /** @type {WebGLProgram} */ (this.program);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(made, name);
    gl.useProgram(made);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32F, width, height, 0, gl.RG, gl.FLOAT, values);
    gl.uniform2f(at("size"), this.canvas.width, this.canvas.height);
    gl.uniform2f(at("span"), ...span);
    gl.uniform1f(at("usable"), usable);
    gl.uniform1fv(at("levels"), Array.from({ length: kMostLevels }, (_, index) => levels[index] ?? 0));
    for (const [name, hex] of Object.entries(colours)) gl.uniform3f(at(name), ...oklab(hex));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Without lines and hatching: one colour a sample. @param {Field} field @param {Colours} colours */
  paintByHand({ width, height, values, span, usable }, colours) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const [w, h] = [this.canvas.width / width, this.canvas.height / height];
    for (let y = 0; y < height; ++y)
      for (let x = 0; x < width; ++x) {
        const [value, answered] = values.subarray(2 * (y * width + x));
        const part = Math.min(1, Math.max(0, (value - span[0]) / (span[1] - span[0])));
        const fits = `color-mix(in oklab, ${colours.high} ${(part * 100).toFixed(1)}%, ${colours.low})`;
        context.fillStyle = !answered ? colours.bare : value > usable ? colours.beyond : fits;
        context.fillRect(Math.floor(x * w), Math.floor((height - 1 - y) * h), Math.ceil(w), Math.ceil(h));
      }
  }
}
