/* The filter's two names, as the file stores them. C and C++. */
#ifndef FZM_FILTER_ID_H
#define FZM_FILTER_ID_H

/* From the range for use within an organisation (32768-65535); the field in the file has 16 bits.
 */
#define H5Z_FILTER_FZM 62042

/* Stored in every object header; at most 12 characters stay in HDF5's own inline storage. */
#define H5Z_FZM_NAME "fzm"

#endif
