<?php
/**
 * The folder of a plugin.
 *
 * @package PicketBridge
 */

// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.

/**
 * Copies, deletes and counts folders. It needs no WordPress, so that a folder can be put back before WordPress is loaded.
 */
final class Picket_Bridge_Folder {

	/**
	 * A larger folder could not be copied and put back in the time of one request.
	 */
	const FILES_MAX = 20000;
	const BYTES_MAX = 209715200;

	/**
	 * Returns why a folder cannot be copied and replaced, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function obstacle( string $path ): string {
		$name = Picket_Bridge_File::shown( $path );
		clearstatcache();
		if ( ! is_writable( dirname( $path ) ) ) {
			return 'The folder of ' . $name . ' cannot be written.';
		}
		if ( is_link( $path ) ) {
			return "$name is a link.";
		}
		$files  = 0;
		$bytes  = 0;
		$queued = array( $path );
		while ( array() !== $queued ) {
			$folder = array_pop( $queued );
			if ( ! is_readable( $folder ) || ! is_writable( $folder ) ) {
				return Picket_Bridge_File::shown( $folder ) . ' cannot be written.';
			}
			foreach ( self::entries( $folder ) as $entry ) {
				$at = "$folder/$entry";
				if ( is_link( $at ) ) {
					return Picket_Bridge_File::shown( $at ) . ' is a link.';
				}
				if ( ++$files > self::FILES_MAX ) {
					return "$name has more than " . self::FILES_MAX . ' files.';
				}
				if ( is_dir( $at ) ) {
					$queued[] = $at;
					continue;
				}
				$bytes += (int) @filesize( $at );
				if ( $bytes > self::BYTES_MAX ) {
					return "$name is larger than 200 MiB.";
				}
				if ( ! is_readable( $at ) || ! is_writable( $at ) ) {
					return Picket_Bridge_File::shown( $at ) . ' cannot be written.';
				}
			}
		}
		// The copy, and what the update needs while it unpacks. A host may not say how much is free.
		$free = function_exists( 'disk_free_space' ) ? @disk_free_space( dirname( $path ) ) : false;
		return false !== $free && $free < 4 * $bytes ? 'The disk of the site has too little space for a copy of ' . $name . '.' : '';
	}

	/**
	 * Copies a folder with the modes of everything in it. Returns what failed, or an empty text.
	 *
	 * @param string $from The path.
	 * @param string $to   The path of the copy, which does not exist.
	 */
	public static function copy( string $from, string $to ): string {
		$failed = Picket_Bridge_File::shown( $from ) . ' cannot be copied.';
		if ( ! @mkdir( $to, 0755, true ) ) {
			return $failed;
		}
		foreach ( self::entries( $from ) as $entry ) {
			$source = "$from/$entry";
			if ( is_dir( $source ) ) {
				$problem = self::copy( $source, "$to/$entry" );
				if ( '' !== $problem ) {
					return $problem;
				}
				continue;
			}
			$is_whole = @copy( $source, "$to/$entry" ) && filesize( $source ) === filesize( "$to/$entry" );
			if ( ! $is_whole || ! @chmod( "$to/$entry", fileperms( $source ) & 0777 ) ) {
				return $failed;
			}
		}
		return @chmod( $to, fileperms( $from ) & 0777 ) ? '' : $failed;
	}

	/**
	 * Deletes a folder. A link in it is deleted, and not what it leads to. Returns whether nothing of it is left.
	 *
	 * @param string $path The path.
	 */
	public static function delete( string $path ): bool {
		if ( is_link( $path ) || ! is_dir( $path ) ) {
			return ( ! is_link( $path ) && ! file_exists( $path ) ) || @unlink( $path );
		}
		foreach ( self::entries( $path ) as $entry ) {
			self::delete( "$path/$entry" );
		}
		return @rmdir( $path );
	}

	/**
	 * PHP may go on using what it has compiled of the files for some seconds, or for ever.
	 *
	 * @param string $path Of the folder.
	 */
	public static function forget_compiled( string $path ): void {
		clearstatcache();
		if ( ! function_exists( 'opcache_invalidate' ) || ! is_dir( $path ) ) {
			return;
		}
		foreach ( self::entries( $path ) as $entry ) {
			if ( is_dir( "$path/$entry" ) && ! is_link( "$path/$entry" ) ) {
				self::forget_compiled( "$path/$entry" );
			} elseif ( '.php' === substr( $entry, -4 ) ) {
				// A host may forbid it, with a warning.
				@opcache_invalidate( "$path/$entry", true );
			}
		}
	}

	/**
	 * Returns the names of what is in a folder.
	 *
	 * @param string $path Of the folder.
	 * @return string[]
	 */
	public static function entries( string $path ): array {
		return array_values( array_diff( (array) @scandir( $path ), array( '.', '..', false ) ) );
	}
}
