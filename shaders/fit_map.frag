#version 300 es
// The fit map: memory over two fields, as a smooth field through the samples of a float texture.
//
// Colour follows log2 of the bytes; lines of equal memory are as wide everywhere, because their distance is taken from
// the field's own gradient; what does not fit is hatched, what is refused is bare.
precision highp float;

in vec2 place;
out vec4 colour;

uniform sampler2D field;   // r: log2 of the bytes needed, g: 1 where there is an answer
uniform vec2 size;         // pixels of the picture
uniform vec2 span;         // log2 of the bytes: the darkest and the lightest colour
uniform float usable;      // log2 of the usable bytes
uniform float levels[8];   // log2 of the bytes of each line; 0: no line
uniform vec3 low, high;    // of what fits, in OKLab
uniform vec3 beyond;       // of what does not, in OKLab
uniform vec3 bare;         // of what is refused, in OKLab
uniform vec3 ink;          // of lines, in OKLab

// Björn Ottosson, "A perceptual color space for image processing" (2020), and the transfer function of sRGB.
vec3 srgb_from_oklab(vec3 c) {
    vec3 lms = vec3(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z, c.x - 0.1055613458 * c.y - 0.0638541728 * c.z,
                    c.x - 0.0894841775 * c.y - 1.2914855480 * c.z);
    lms = lms * lms * lms;
    vec3 linear = vec3(dot(vec3(4.0767416621, -3.3077115913, 0.2309699292), lms),
                       dot(vec3(-1.2684380046, 2.6097574011, -0.3413193965), lms),
                       dot(vec3(-0.0041960863, -0.7034186147, 1.7076147010), lms));
    linear = clamp(linear, 0.0, 1.0);
    return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}

// Catmull and Rom (1974): weights of four neighbours at t between the middle two, and their derivatives.
vec4 weights(float t) {
    return 0.5 * vec4(t * (t * (2.0 - t) - 1.0), t * t * (3.0 * t - 5.0) + 2.0, t * (t * (4.0 - 3.0 * t) + 1.0), t * t * (t - 1.0));
}
vec4 slopes(float t) {
    return 0.5 * vec4(t * (4.0 - 3.0 * t) - 1.0, t * (9.0 * t - 10.0), t * (8.0 - 9.0 * t) + 1.0, t * (3.0 * t - 2.0));
}

float sample_at(ivec2 at) {
    ivec2 last = textureSize(field, 0) - 1;
    return texelFetch(field, clamp(at, ivec2(0), last), 0).r;
}

// The field and its gradient by texels. Samples stand at the corners: the first at 0, the last at 1.
vec3 field_at(vec2 at) {
    vec2 texel = at * vec2(textureSize(field, 0) - 1);
    ivec2 base = ivec2(floor(texel));
    vec2 t = texel - vec2(base);
    vec4 wx = weights(t.x), wy = weights(t.y), sx = slopes(t.x), sy = slopes(t.y);
    vec3 sum = vec3(0.0);
    for (int j = 0; j < 4; ++j) {
        vec4 row = vec4(sample_at(base + ivec2(-1, j - 1)), sample_at(base + ivec2(0, j - 1)),
                        sample_at(base + ivec2(1, j - 1)), sample_at(base + ivec2(2, j - 1)));
        float along = dot(wx, row);
        sum += vec3(along * wy[j], dot(sx, row) * wy[j], along * sy[j]);
    }
    return sum;
}

void main() {
    vec3 f = field_at(place);
    vec2 texels_a_pixel = vec2(textureSize(field, 0) - 1) / size;
    float slope = max(length(f.yz * texels_a_pixel), 1e-6);  // of the field, a pixel
    float t = clamp((f.x - span.x) / (span.y - span.x), 0.0, 1.0);
    bool answered = texelFetch(field, ivec2(place * vec2(textureSize(field, 0) - 1) + 0.5), 0).g > 0.5;

    vec3 fits = mix(low, high, t);
    float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0) - 0.5) * 9.0;  // pixels from the middle of a stripe
    vec3 not_fits = mix(beyond, ink, 0.2 * (1.0 - smoothstep(0.5, 1.5, stripe)));
    vec3 lab = mix(fits, not_fits, smoothstep(-0.5, 0.5, (f.x - usable) / slope));
    for (int i = 0; i < 8; ++i) {
        if (levels[i] <= 0.0) continue;
        lab = mix(lab, ink, 0.45 * (1.0 - smoothstep(0.3, 1.1, abs(f.x - levels[i]) / slope)));
    }
    lab = mix(lab, ink, 1.0 - smoothstep(0.8, 1.8, abs(f.x - usable) / slope));
    colour = vec4(srgb_from_oklab(answered ? lab : bare), 1.0);
}
